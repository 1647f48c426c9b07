"""Know the machine on which runs are measured: its cores, who holds them, and what disturbs the runs.

- `cores`: which cores there are, and which of them runs get.
- `locks`: cores of one's own among all campaigns of the machine.
- `bystanders`: what other processes do on these cores meanwhile.
- `conditions`: load and frequency when a run starts, and warnings before a campaign.
"""
