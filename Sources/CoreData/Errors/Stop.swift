/// Stops the program with a sentence that says what was wrong and what to do.
///
/// For mistakes of the programmer, where Apple's framework raises an exception. The sentence is
/// printed in release builds too; `preconditionFailure` would say nothing there.
package func stop(_ sentence: String, file: StaticString = #file, line: UInt = #line) -> Never {
  fatalError(sentence, file: file, line: line)
}
