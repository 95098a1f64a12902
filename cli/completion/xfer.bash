# Completion of xfer for bash 3.2 and later, made by: xfer completion bash
# $2: the part of the current word that bash replaces. It begins behind the last sign of COMP_WORDBREAKS, as = and :.
_xfer() {
  local line=${COMP_LINE:0:COMP_POINT} words word help current files=''
  COMPREPLY=()
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  current=${words[${#words[@]} - 1]}
  while IFS=$'\t' read -r word help; do
    if [[ $word == :files ]]; then files=1 && continue; fi
    # Whatever is in the name of a key, the shell does nothing with it.
    printf -v word %q "${word#"${current%"$2"}"}"
    COMPREPLY+=("$word")
  done < <(command xfer __complete "${words[@]:1}" 2>/dev/null)
  # Where nothing is offered, bash would complete names of files.
  [[ $files ]] || compopt +o default 2>/dev/null
  [[ ${COMPREPLY[0]} == *[/@] ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -o default -F _xfer xfer
