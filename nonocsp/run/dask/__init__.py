"""Measure with executor ``dask``: runs on a `dask.distributed` cluster, which may be many machines.

`connection` finds or starts the cluster, `roster` knows its workers, `worker` is what runs there, `batches`
puts runs together and takes replies apart, and `executor` hands the batches out. It needs the extra
``cluster``.
"""
