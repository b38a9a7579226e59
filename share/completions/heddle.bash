# bash completion for heddle: commands, their options, and the jobs of the project.

# Jobs in folders, then those of jobs.toml by their id, which comes from the name when not given.
_heddle_jobs() {
  local project=. i
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ ${COMP_WORDS[i]} == --project ]] && project=${COMP_WORDS[i + 1]}
  done
  find "$project/jobs" -name config.toml -printf '%P\n' 2>/dev/null | sed 's#/config.toml$##'
  [[ -r $project/jobs.toml ]] && awk '
    function flush() { if (id != "") print id; else if (name != "") print name; id = name = "" }
    /^[ \t]*\[\[jobs\]\]/ { flush(); next }
    /^[ \t]*(id|name)[ \t]*=/ {
      key = $1; sub(/=.*/, "", key)
      value = $0; sub(/^[^=]*=[ \t]*["\047]/, "", value); sub(/["\047][ \t]*(#.*)?$/, "", value)
      if (key == "id") { id = value; next }
      value = tolower(value); gsub(/[^a-z0-9\200-\377]+/, "-", value); gsub(/^-|-$/, "", value)
      if (name == "") name = value
    }
    END { flush() }' "$project/jobs.toml"
}

_heddle() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command= i
  local commands="init add repair import check explain config run debug up down status metrics workers jobs show trigger pause resume cancel stop start archive delete reload dead test types records changes diff runs logs run-trace backup restore doctor version demo"
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
      --project) ((i++)) ;;
      -*) ;;
      *)
        case $command in
          "") command=${COMP_WORDS[i]} ;;
          config | dead | import | workers) command+=-${COMP_WORDS[i]}; break ;;
        esac
        ;;
    esac
  done
  local words=
  case $previous in
    --project | --keep) mapfile -t COMPREPLY < <(compgen -d -- "$current"); return ;;
    --junit) mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
    --watch) words="items feed" ;;
    --format) words="json jsonl csv table" ;;
    --state) words="created scheduled starting running paused completed failed stopping stopped archived pending ok failing blocked login_required selector_broken limited quarantined" ;;
    --job) words=$(_heddle_jobs) ;;
  esac
  if [[ -n $words ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    return
  fi
  case $command in
    "") words="$commands --project --version" ;;
    add) words="--watch --every --name --pick --dry-run -y --yes --json" ;;
    archive) words="--tag --group --state --all --json $(_heddle_jobs)" ;;
    cancel) words="--tag --group --state --all --json $(_heddle_jobs)" ;;
    check) words="--json $(_heddle_jobs)" ;;
    config-show) words="--json $(_heddle_jobs)" ;;
    config) words="show" ;;
    dead-list) words="--json --limit $(_heddle_jobs)" ;;
    dead-purge) words="--json --job --all" ;;
    dead-retry) words="--json --job --all" ;;
    dead-show) words="--json" ;;
    dead) words="list show retry purge" ;;
    debug) words="--pages --json $(_heddle_jobs)" ;;
    delete) words="--tag --group --state --all -y --yes --json $(_heddle_jobs)" ;;
    demo) words="--port --rounds --pause --keep" ;;
    diff) words="--job --versions --json $(_heddle_jobs)" ;;
    doctor) words="--repair --start-empty --json" ;;
    down) words="--now --json" ;;
    explain) words="--json" ;;
    jobs) words="--tag --group --state --json $(_heddle_jobs)" ;;
    logs) words="-n --lines -f --follow --json $(_heddle_jobs)" ;;
    metrics) words="--json" ;;
    pause) words="--tag --group --state --all --json $(_heddle_jobs)" ;;
    changes) words="--since --limit --json $(_heddle_jobs)" ;;
    records) words="--format --since --limit --json $(_heddle_jobs)" ;;
    reload) words="--dry-run --json" ;;
    repair) words="--dry-run -y --yes --json $(_heddle_jobs)" ;;
    resume) words="--tag --group --state --all --json $(_heddle_jobs)" ;;
    run-trace) words="--json" ;;
    run) words="-v --verbose -q --quiet --exit-code --stages --json $(_heddle_jobs)" ;;
    runs) words="--limit --json $(_heddle_jobs)" ;;
    show) words="--json $(_heddle_jobs)" ;;
    start) words="--tag --group --state --all --json $(_heddle_jobs)" ;;
    status) words="--json" ;;
    stop) words="--tag --group --state --all --json --now -y --yes $(_heddle_jobs)" ;;
    test) words="--junit --json $(_heddle_jobs)" ;;
    trigger) words="--tag --group --state --all --json $(_heddle_jobs)" ;;
    up) words="--processes -q --quiet" ;;
    version) words="--json" ;;
    workers-restart) words="--json" ;;
    workers) words="restart --json" ;;
    import) words="spyweb" ;;
    init | import-spyweb | backup | restore | types)
      [[ $command == backup ]] && words="--force --json"
      [[ $command == restore ]] && words=--json
      [[ $command == import-spyweb ]] && words="--dry-run --json"
      mapfile -t COMPREPLY < <(compgen -W "$words -h --help" -- "$current"; compgen -f -- "$current")
      return
      ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words -h --help" -- "$current")
}
complete -F _heddle heddle
