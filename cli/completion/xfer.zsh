#compdef xfer
# Completion of xfer for zsh, made by: xfer completion zsh
_xfer() {
  local line files=''
  local -a offered open
  for line in "${(@f)$(command xfer __complete "${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}"; do
    case $line in
      :files*) files=1 ;;
      *[/@]$'\t'*) open+=("${line%%$'\t'*}") ;;
      ?*) offered+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
    esac
  done
  (( $#offered )) && _describe xfer offered
  (( $#open )) && compadd -S '' -a open
  [[ -n $files ]] && { compset -P '--*='; _files }
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
if [[ $funcstack[1] == _xfer ]]; then _xfer "$@"; else compdef _xfer xfer; fi
