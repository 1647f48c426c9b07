"""``nonocsp studio``: a server for one person's browser that adds to the page what is Python.

`server` binds a port of this machine and runs until Ctrl-C; `guard` refuses whatever does not come from the
page that the server gave out; `app` answers `requests`; `jobs` runs the work in processes (`worker`) that can
be ended at any time; `folder` reads and saves files and never leaves its folder.
"""
