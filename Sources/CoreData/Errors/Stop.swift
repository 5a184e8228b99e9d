/// Stops the program with a sentence that says what was wrong and what to do.
///
/// For mistakes of the programmer, where Apple's framework raises an exception. The sentence is
/// printed in release builds too; `preconditionFailure` would say nothing there.
package func stop(_ sentence: String, file: StaticString = #file, line: UInt = #line) -> Never {
  fatalError(sentence, file: file, line: line)
}

/// Stops the program with a sentence unless a condition holds.
func require(
  _ condition: Bool,
  _ sentence: @autoclosure () -> String,
  file: StaticString = #file,
  line: UInt = #line
) {
  if !condition { stop(sentence(), file: file, line: line) }
}
