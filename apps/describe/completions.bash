# Completes the command lines of aiwc, aiwc-model and oclgrind by what their --help says. Where
# nothing is offered, bash completes files.

# The rows of the help of a command: "Options: --output DIR", "Subcommands: show", ...
_aiwc_rows() {
  "$@" --help 2>/dev/null | awk '
    /^[A-Z][a-z]*:$/ { part = $1 == "More:" ? "Subcommands:" : $1 }
    /^  [^ ]/ {
      sub(/^  /, ""); sub(/  .*/, "")
      type = $2 ~ /^(Needs:|Excludes:|REQUIRED)/ ? "" : $2
      if (type !~ /{/) sub(/=.*/, "", type) # the default
      count = split($1, names, ",")
      for (i = count; i; --i) print part, names[i], type
    }'
}

# Adds the words that complete the last one of the list $word.
_aiwc_words() {
  mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(
    compgen -P "${word%"${word##*,}"}" -W "$1" -- "${word##*,}"
  )
}

# Adds what an argument of this type may be: DIR, ID and IDS of devices, a|b|FILE, WHAT:{a,b}.
_aiwc_argument() {
  local type=$1 part words=
  case $type in
    *":{"*) type=${type#*:\{} type=${type%%\}*} type=${type//,/|} ;;
  esac
  for part in ${type//|/ }; do
    case $part in
      DIR) mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
      ID | IDS) words+=" $(aiwc devices list --ids 2>/dev/null)" ;;
      *[A-Z]*) ;;
      *) words+=" $part" ;;
    esac
  done
  _aiwc_words "$words"
}

# Completes by the rows of the command; $2: the names of all commands.
_aiwc_complete() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} part name type
  COMPREPLY=()
  if [ "$word" = = ]; then # bash splits --option=argument into three words
    word=
  elif [ "$before" = = ] && [ "$COMP_CWORD" -gt 1 ]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  while read -r part name type; do
    if [ "$part$name" = "Options:$before" ] && [ -n "$type" ]; then
      _aiwc_argument "$type"
      return
    fi
  done <<<"$1"
  while read -r part name type; do
    case $part$word in
      Options:-*) _aiwc_words "$name" ;;
      Subcommands:[!-]* | Subcommands:) _aiwc_words "$name" ;;
      Positionals:[!-]* | Positionals:)
        case $name$type in
          COMMAND*) _aiwc_words "$2" ;;
          ID* | *":{"*) _aiwc_argument "${type/#TEXT/$name}" ;;
        esac ;;
    esac
  done <<<"$1"
}

_aiwc() {
  local path=("${COMP_WORDS[0]}") rows commands i
  rows=$(_aiwc_rows "${path[@]}")
  commands=$(sed -n 's/^Subcommands: //p' <<<"$rows")
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if grep -qxF "Subcommands: ${COMP_WORDS[i]} " <<<"$rows"; then
      path+=("${COMP_WORDS[i]}")
      rows=$(_aiwc_rows "${path[@]}")
    fi
  done
  _aiwc_complete "$rows" "$commands"
}

# The options of `aiwc run`, under other names.
_oclgrind() {
  _aiwc_complete "Options: --aiwc
$(_aiwc_rows aiwc run | grep -v -e --help -e 'Options: -h' | sed -n 's/^Options: --/&aiwc-/p')" ''
}

complete -o default -o nosort -F _aiwc aiwc aiwc-model
complete -o default -o nosort -F _oclgrind oclgrind
