import Foundation

/// `coredata completion`: a script with which a shell completes commands and options.
struct CompletionCommand: Command {
  static let words = ["completion"]
  static let summary = "print a script for completing commands and options in a shell"
  static let help = """
    coredata completion bash|zsh|fish

    Prints a shell script that completes commands and options. To use it in the current session:

      source <(coredata completion bash)
      source <(coredata completion zsh)
      coredata completion fish | source

    To use it in every session, save it where the shell looks for completions, such as
    ~/.local/share/bash-completion/completions/coredata or ~/.config/fish/completions/coredata.fish.

    \(CoreDataCommand.exitStatuses)
    """

  private let shell: Shell

  private enum Shell: String, CaseIterable {
    case bash, zsh, fish
  }

  init(_ arguments: inout CommandArguments) throws {
    let name = try arguments.operand("the name of a shell")
    try arguments.finish()
    guard let shell = Shell(rawValue: name) else {
      let known = Shell.allCases.map(\.rawValue)
      let question = Spelling.question(name, among: known)
      throw arguments.mistake("the shell is bash, zsh or fish, not '\(name)'\(question)")
    }
    self.shell = shell
  }

  func run() throws {
    let commands = CoreDataCommand.commands
    switch shell {
    case .bash: print(Self.bash(commands))
    case .zsh: print("autoload -Uz bashcompinit && bashcompinit\n" + Self.bash(commands))
    case .fish: print(Self.fish(commands))
    }
  }
}

// MARK: - Scripts

extension CompletionCommand {
  /// The options in the help's lines on usage, and those that have a line of their own.
  ///
  /// Elsewhere the help speaks of other commands' options, too.
  static func options(of command: any Command.Type) -> [String] {
    let name = /--[a-z][a-z-]*/
    let lines = command.help.split(separator: "\n", omittingEmptySubsequences: false)
    let used = lines.prefix { !$0.isEmpty }.flatMap { line in
      line.matches(of: name).map { String($0.output) }
    }
    let explained = lines.filter { $0.hasPrefix("  -") }.compactMap { line in
      line.firstMatch(of: name).map { String($0.output) }
    }
    return Set(used + explained + ["--help"]).sorted()
  }

  /// If a command or a verb is due, `all` means that every word may come; elsewhere options alone are offered, so that
  /// files are completed.
  private static func bash(_ commands: [any Command.Type]) -> String {
    let first = (firstWords(commands) + ["help", "--help", "--version"]).joined(separator: " ")
    let subjects = firstWords(commands).compactMap { subject in
      let verbs = verbs(of: subject, commands).joined(separator: " ")
      return verbs.isEmpty ? nil : "    '\(subject)') words='\(verbs)' all=1 ;;"
    }
    let cases = commands.map { command in
      "    '\(command.name)'*) words='\(options(of: command).joined(separator: " "))' ;;"
    }
    return """
      _coredata() {
        local word=${COMP_WORDS[COMP_CWORD]} words= all=
        local line="${COMP_WORDS[*]:1:COMP_CWORD-1}"
        case $line in
          '') words='\(first)' all=1 ;;
          'help') words='\(firstWords(commands).joined(separator: " "))' all=1 ;;
      \((subjects + cases).joined(separator: "\n"))
        esac
        COMPREPLY=()
        if [[ $word == -* || $all ]]; then
          COMPREPLY=($(compgen -W "$words" -- "$word"))
        fi
      }
      complete -o default -o bashdefault -F _coredata coredata
      """
  }

  private static func fish(_ commands: [any Command.Type]) -> String {
    let subjects = firstWords(commands).map { word in
      let verbs = verbs(of: word, commands)
      let summary = verbs.isEmpty ? commands.first { $0.name == word }?.summary : nil
      let text = quoted(summary ?? verbs.joined(separator: ", "))
      return "complete -c coredata -n __fish_use_subcommand -a \(word) -d \(text)"
    }
    let rest = commands.flatMap { command in
      let conditions = command.words.map { "__fish_seen_subcommand_from \($0)" }
      let verb = command.words.dropFirst().map { verb in
        "complete -c coredata -n \(quoted(conditions[0])) -a \(verb) -d \(quoted(command.summary))"
      }
      let condition = quoted(conditions.joined(separator: "; and "))
      return verb
        + options(of: command).map { "complete -c coredata -n \(condition) -l \($0.dropFirst(2))" }
    }
    return (subjects + rest).joined(separator: "\n")
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }

  private static func firstWords(_ commands: [any Command.Type]) -> [String] {
    Set(commands.map { $0.words[0] }).sorted()
  }

  private static func verbs(of word: String, _ commands: [any Command.Type]) -> [String] {
    commands.filter { $0.words.count > 1 && $0.words[0] == word }.map { $0.words[1] }
  }
}
