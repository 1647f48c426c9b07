#!/bin/bash
#
# A campaign as a job array of SLURM: each task measures a shard, and a last job merges the shards.
#
#   array=$(sbatch --parsable --array=1-16 slurm.sh campaign.yaml results/mine 16)
#   sbatch --dependency=afterany:"$array" slurm.sh campaign.yaml results/mine
#
# The folder has to be on a file system that all nodes share. Tasks that failed or ran out of time continue
# where they stopped: submit both commands again, the first with --array=3,7 if only those tasks failed. The
# last argument is the number of all shards, however many tasks are submitted.
#
#SBATCH --job-name=nonocsp
#SBATCH --cpus-per-task=1
#SBATCH --mem=4G
#SBATCH --time=12:00:00

set -euo pipefail
config=${1:?the config of the campaign}
folder=${2:?the folder of the results}

# Exit code 1 means that backends contradict each other, if the command wrote its file; else it has crashed.
writes() {
    rm -f "$1"
    "${@:2}" || { code=$?; [[ $code = 1 && -e $1 ]] || exit "$code"; }
}

if [ -n "${SLURM_ARRAY_TASK_ID:-}" ]; then
    shard=$folder/shard-$SLURM_ARRAY_TASK_ID
    writes "$shard/report.html" \
        nonocsp bench --shard "$SLURM_ARRAY_TASK_ID/${3:?the number of shards}" --output "$shard" "$config"
else
    rm -rf "$folder/whole" # what an earlier job merged
    writes "$folder/whole/campaign.json" nonocsp results merge "$folder"/shard-* --output "$folder/whole"
    writes "$folder/whole/report.html" nonocsp report "$folder/whole"
fi
