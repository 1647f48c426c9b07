#!/bin/bash
#
# A campaign as a job array of SLURM: each task measures a shard, and a last job merges the shards.
#
#   array=$(sbatch --parsable --array=1-16 slurm.sh campaign.yaml results/mine)
#   sbatch --dependency=afterany:"$array" slurm.sh campaign.yaml results/mine
#
# The folder has to be on a file system that all nodes share. Tasks that failed or ran out of time continue
# where they stopped: submit both commands again.
#
#SBATCH --job-name=nonocsp
#SBATCH --cpus-per-task=1
#SBATCH --mem=4G
#SBATCH --time=12:00:00

set -euo pipefail
config=${1:?the config of the campaign}
folder=${2:?the folder of the results}

accept_1() { "$@" || return $(($? == 1 ? 0 : $?)); } # 1: backends contradict each other; the report says so

if [ -n "${SLURM_ARRAY_TASK_ID:-}" ]; then
    accept_1 nonocsp bench --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" \
        --output "$folder/shard-$SLURM_ARRAY_TASK_ID" "$config"
else
    rm -rf "$folder/whole" # what an earlier job merged
    accept_1 nonocsp results merge "$folder"/shard-* --output "$folder/whole"
    accept_1 nonocsp report "$folder/whole"
fi
