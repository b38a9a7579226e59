# bash completion for heddle: commands, their options, and the jobs of the project.
_heddle_jobs() {
  local project=. i
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ ${COMP_WORDS[i]} == --project ]] && project=${COMP_WORDS[i + 1]}
  done
  find "$project/jobs" -name config.toml -printf '%P\n' 2>/dev/null | sed 's#/config.toml$##'
}

_heddle() {
  local current=${COMP_WORDS[COMP_CWORD]} command= i
  local commands="init import check explain config run debug up down status metrics workers jobs show trigger pause resume cancel stop start archive delete reload logs dead backup restore doctor test types records runs run-trace demo version"
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
      --project) ((i++)) ;;
      -*) ;;
      *) command=${COMP_WORDS[i]}; break ;;
    esac
  done
  if [[ ${COMP_WORDS[COMP_CWORD - 1]} == @(--project|--keep) ]]; then
    mapfile -t COMPREPLY < <(compgen -d -- "$current")
    return
  fi
  local words=
  case $command in
    "") words="$commands --project --help --version" ;;
    init | backup | restore) mapfile -t COMPREPLY < <(compgen -d -- "$current"); return ;;
    import) words="spyweb --dry-run --json $(compgen -d -- "$current")" ;;
    check) words="--json $(_heddle_jobs)" ;;
    config) words="show --json $(_heddle_jobs)" ;;
    run) words="--json --stages --verbose $(_heddle_jobs)" ;;
    debug) words="--json --pages $(_heddle_jobs)" ;;
    records) words="--format --since --limit --json json jsonl csv table $(_heddle_jobs)" ;;
    runs) words="--limit --json $(_heddle_jobs)" ;;
    down) words="--now --json" ;;
    run-trace | version | status | metrics) words="--json" ;;
    up) words="--processes" ;;
    workers) words="restart --json" ;;
    jobs) words="--tag --group --state --json $(_heddle_jobs)" ;;
    show) words="--json $(_heddle_jobs)" ;;
    trigger | pause | resume | cancel | start | archive)
      words="--all --tag --group --state --json $(_heddle_jobs)" ;;
    stop) words="--now --yes --all --tag --group --state --json $(_heddle_jobs)" ;;
    delete) words="--yes --all --tag --group --state --json $(_heddle_jobs)" ;;
    reload) words="--dry-run --json" ;;
    logs) words="--follow --lines --json $(_heddle_jobs)" ;;
    doctor) words="--repair --start-empty --json" ;;
    dead) words="list show retry purge --job --all --limit --json $(_heddle_jobs)" ;;
    test) words="--junit --json $(_heddle_jobs)" ;;
    demo) words="--port --rounds --pause --keep" ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words --help" -- "$current")
}
complete -F _heddle heddle
