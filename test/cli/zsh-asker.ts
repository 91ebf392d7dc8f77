/** A zsh script that loads the completion script `./script`, types each of its arguments after the program's name in a
 *  zsh on a terminal of its own, and prints what Tab would propose, each time after a line `--next--`. */
export const zshAsker = `
zmodload zsh/zpty
zpty asked zsh -f -i
zpty -w asked $'PS1=; stty -echo; autoload -Uz compinit; compinit -u -D; source ./script
# What is proposed goes to a file; calls that only fill a variable propose nothing.
compadd() {
  if [[ \${@[1,(i)(-|--)]} != *-(O|A|D)* ]]; then
    local -a fit; builtin compadd -A fit "$@"; (( $#fit )) && print -rl -- $fit >> proposals
  fi
  builtin compadd "$@"
}
propose() { print -r -- --next-- >> proposals; _main_complete; compstate[insert]=; compstate[list]= }
zle -C propose complete-word propose; bindkey "^I" propose
'
# The terminal echoes what is written until then: the words are whole only where they are printed.
zpty -w asked 'print rea""dy'
zpty -r -m asked seen '*ready*'
for typed in "$@"; do zpty -w -n asked "payment-order-emulator $typed"$'\\t\\x15'; done
zpty -w asked 'print do""ne'
zpty -r -m asked seen '*done*'
cat proposals
`
