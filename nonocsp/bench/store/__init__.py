"""Keep the rows of a campaign in ``runs.jsonl``, which survives being killed, and read them back.

`Store` appends rows, `read_campaign` reads them, as a stream and as columns. A run that is done again is
appended; its last row counts. Rows of earlier code stay in the file, and are not part of the campaign.
"""

from nonocsp.bench.store.reading import FILE as FILE
from nonocsp.bench.store.reading import NO_ROW as NO_ROW
from nonocsp.bench.store.reading import WRITTEN as WRITTEN
from nonocsp.bench.store.reading import Campaign as Campaign
from nonocsp.bench.store.reading import Rows as Rows
from nonocsp.bench.store.reading import holds_rows as holds_rows
from nonocsp.bench.store.reading import read_campaign as read_campaign
from nonocsp.bench.store.reading import set_aside as set_aside
from nonocsp.bench.store.writing import Store as Store
