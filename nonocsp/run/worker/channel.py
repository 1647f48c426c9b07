"""Exchange frames between a server and the processes that run a backend.

A frame is a nonce of 16 bytes, a word of one byte, the payload's length and the payload. Each job has its own
nonce, chosen by the server. The server takes only frames with the nonce of the job at hand and with the word
that it waits for; anything else is `OutOfTurn`, and ends the process that said it.
"""

from __future__ import annotations

import os
import select
import socket
import struct
from contextlib import suppress
from typing import NamedTuple

MAX_BYTES = 64 << 20
"""The longest payload that a server takes."""
NONCE_BYTES = 16

READY, FORK, JOB, GO, NOTED = b"r", b"f", b"j", b"g", b"n"
"""The host has loaded its backend. The server's orders: fork a run's process, take the job, begin, reply."""
BORN, PREPARED, ENDED, REPLY, GONE = b"b", b"p", b"e", b"y", b"x"
"""The run's process has been forked; has the puzzle; the backend has finished; what it found. The host: the
run's process has ended, with this exit code."""

_HEADER = struct.Struct(f">{NONCE_BYTES}scI")
_BUFFER = memoryview(bytearray(1 << 18))
"""Where bytes arrive. More than a socket holds: what a process has sent before it ended is read at once."""


class OutOfTurn(Exception):
    """The other end said what nobody had asked for."""


class Frame(NamedTuple):
    """What one end says to the other."""

    nonce: bytes
    word: bytes
    payload: bytes


class Channel:
    """One end of a socket.

    Parameters
    ----------
    end
        The socket; this object closes it.
    """

    def __init__(self, end: socket.socket) -> None:
        self._socket = end
        self._received = bytearray()
        self._unsent = memoryview(b"")
        self._poll = select.poll()
        self._poll.register(end, select.POLLIN)

    def fileno(self) -> int:
        """Return the socket's descriptor."""
        return self._socket.fileno()

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()

    def send(self, nonce: bytes, word: bytes, payload: bytes = b"") -> None:
        """Send a frame, and wait until all of it is sent.

        Parameters
        ----------
        nonce, word, payload
            Those of the frame.
        """
        self._socket.sendall(_HEADER.pack(nonce, word, len(payload)) + payload)

    def receive(self) -> Frame:
        """Wait for the next frame; raise EOFError if there is none."""
        while (frame := self._next()) is None:
            if not (count := self._socket.recv_into(_BUFFER)):
                raise EOFError
            self._received += _BUFFER[:count]
        return frame

    def hand_over(self, nonce: bytes, word: bytes, payload: bytes) -> None:
        """Send a frame as far as the other end takes it now; `flush` sends the rest.

        Parameters
        ----------
        nonce, word, payload
            Those of the frame.
        """
        self._unsent = memoryview(_HEADER.pack(nonce, word, len(payload)) + payload)
        self.flush()

    @property
    def is_flushed(self) -> bool:
        """Whether the other end has taken everything."""
        return not self._unsent

    def flush(self) -> None:
        """Send more of what `hand_over` could not send."""
        if not self._unsent:
            return
        with suppress(BlockingIOError, BrokenPipeError, ConnectionResetError):
            while self._unsent:
                self._unsent = self._unsent[self._socket.send(self._unsent, socket.MSG_DONTWAIT) :]

    def poll(self, nonce: bytes, expected: bytes) -> bytes | None:
        """Return the payload of the next frame; None if it has not arrived yet.

        Parameters
        ----------
        nonce
            That of the job at hand.
        expected
            The word that the other end may say now.

        Raises
        ------
        OutOfTurn
            If the frame has another nonce or word, or too long a payload.
        EOFError
            If the other end is closed.
        """
        if (payload := self._expected(nonce, expected)) is not None:
            return payload
        try:
            count = self._socket.recv_into(_BUFFER, 0, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return None
        except ConnectionResetError:  # it ended before it read all that it was told
            count = 0
        self._received += _BUFFER[:count]
        if (payload := self._expected(nonce, expected)) is None and not count:
            raise EOFError
        return payload

    def _expected(self, nonce: bytes, expected: bytes) -> bytes | None:
        """Return the payload of the next frame if it is complete; OutOfTurn if it is another."""
        if len(self._received) < _HEADER.size:
            return None
        said_nonce, word, length = _HEADER.unpack_from(self._received)
        if said_nonce != nonce or word != expected or length > MAX_BYTES:
            raise OutOfTurn
        frame = self._next()
        return None if frame is None else frame.payload

    @property
    def has_received(self) -> bool:
        """Whether bytes have arrived that no frame was made of yet."""
        return bool(self._received)

    @property
    def is_silent(self) -> bool:
        """Whether nothing has arrived, not even the end of the other side."""
        return not self._received and not self._poll.poll(0)

    def send_end(self, nonce: bytes, word: bytes, end: socket.socket) -> None:
        """Send a frame together with one end of another channel.

        Parameters
        ----------
        nonce, word
            Those of the frame.
        end
            The socket to share.
        """
        socket.send_fds(self._socket, [_HEADER.pack(nonce, word, 0)], [end.fileno()])

    def receive_end(self) -> tuple[Frame, socket.socket]:
        """Wait for what `send_end` sends."""
        header, descriptors, _, _ = socket.recv_fds(self._socket, _HEADER.size, 1)
        if not descriptors:
            raise EOFError
        nonce, word, _ = _HEADER.unpack(header)
        return Frame(nonce, word, b""), socket.socket(fileno=descriptors[0])

    def _next(self) -> Frame | None:
        """Take the next frame from what was received, if it is complete."""
        if len(self._received) < _HEADER.size:
            return None
        nonce, word, length = _HEADER.unpack_from(self._received)
        end = _HEADER.size + length
        if len(self._received) < end:
            return None
        payload = bytes(self._received[_HEADER.size : end])
        del self._received[:end]
        return Frame(nonce, word, payload)


def new_nonce() -> bytes:
    """Return a nonce that nobody can guess."""
    return os.urandom(NONCE_BYTES)
