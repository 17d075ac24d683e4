/** Shells for which there is a script. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

const BASH = `# spandrel completion bash > ~/.local/share/bash-completion/completions/spandrel
_spandrel() {
  local IFS=$'\\n' line rest=\${COMP_LINE:0:COMP_POINT} word current= start=
  local -a words=()
  COMPREPLY=()
  # Bash divides a word at : and =, as in http://host and --format=json, and replaces only what is after the last of them.
  for word in "\${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
    if [[ $rest == [[:space:]]* || -z $current ]]; then
      [[ -n $current ]] && words+=("$current")
      rest=\${rest#"\${rest%%[![:space:]]*}"} current=$word
    else
      current+=$word
    fi
    rest=\${rest#"$word"}
  done
  [[ $current == *[:=]* ]] && start=\${current%"\${current##*[:=]}"}
  while IFS= read -r line; do
    line=\${line%%$'\\t'*}
    COMPREPLY+=("$(printf '%q' "\${line#"$start"}")")
  done < <(spandrel --complete "\${words[@]:1}" "$current" 2>/dev/null)
}
complete -o default -F _spandrel spandrel
`;

const ZSH = `#compdef spandrel
# spandrel completion zsh > "\${fpath[1]}/_spandrel"
_spandrel() {
  local line
  local -a names descriptions
  while IFS= read -r line; do
    names+=("\${line%%$'\\t'*}")
    descriptions+=("\${line/$'\\t'/  }")
  done < <(spandrel --complete "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#names} )); then
    compadd -d descriptions -a names
  else
    _files
  fi
}
if [ "$funcstack[1]" = "_spandrel" ]; then _spandrel "$@"; else compdef _spandrel spandrel; fi
`;

const FISH = `# spandrel completion fish > ~/.config/fish/completions/spandrel.fish
function __spandrel_complete
  set -l words (commandline -opc)[2..-1] (commandline -ct)
  set -l found (spandrel --complete $words 2>/dev/null)
  if set -q found[1]
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c spandrel -f -a '(__spandrel_complete)'
`;

const POWERSHELL = `# spandrel completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName spandrel -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object {
    if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.ToString() }
  })
  # Versions before 7.3 pass no empty argument to a program, so a dot marks the word to complete.
  $word = $wordToComplete.Trim("'", '"') + '.'
  & spandrel --complete marked @words $word 2>$null | ForEach-Object {
    $name, $help = $_ -split "\`t", 2
    $text = if ($name -match '[\\s''"$;|&]') { "'" + $name.Replace("'", "''") + "'" } else { $name }
    [System.Management.Automation.CompletionResult]::new($text, $name, 'ParameterValue', $(if ($help) { $help } else { $name }))
  }
}
`;

/** The script that a shell loads. */
export const SCRIPTS: ReadonlyMap<string, string> = new Map([
  ['bash', BASH],
  ['zsh', ZSH],
  ['fish', FISH],
  ['powershell', POWERSHELL],
]);
