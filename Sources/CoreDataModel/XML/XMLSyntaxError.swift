/// The place and the reason why a text is not XML.
package struct XMLSyntaxError: Error, Hashable {
  package let line: Int
  /// Half a sentence, such as `a closing tag does not match`.
  package let message: String

  package init(line: Int, message: String) {
    self.line = line
    self.message = message
  }
}
