"""Keep the rows of a campaign in files that survive being killed, and read them back.

A run that is done again is appended; its last row counts. `Store` writes rows, `read_campaign` reads them
back, as a stream and as columns. ``runs.jsonl`` holds the rows of ordinary campaigns; those of large ones are
in compressed segments with an index.
"""

from nonocsp.bench.store.campaign import Campaign as Campaign
from nonocsp.bench.store.campaign import Rows as Rows
from nonocsp.bench.store.campaign import read_campaign as read_campaign
from nonocsp.bench.store.campaign import set_aside as set_aside
from nonocsp.bench.store.places import NO_ROW as NO_ROW
from nonocsp.bench.store.segments import FILE as FILE
from nonocsp.bench.store.segments import holds_rows as holds_rows
from nonocsp.bench.store.writer import Store as Store
