public import Foundation

extension RichText {
  /// The text as TextKit reads it, for apps on Apple's systems.
  ///
  /// ```
  /// {\rtf1\ansi\ansicpg1252\cocoartf2761
  /// {\fonttbl\f0\fswiss\fcharset0 Helvetica;\f1\fswiss\fcharset0 Helvetica-Bold;…}
  /// \pard\pardirnatural
  /// \f0\fs24 A \f1\b fault\f0\b0  is a promise.}
  /// ```
  ///
  /// `RichText(rtf: text.rtf)` has the same words with the same marks, in the same paragraphs, headings,
  /// lists and quotes. Some things cannot be expressed in RTF: the language of code, where one block of code
  /// ends and another begins, likewise of tables, and quotes and tables in lists or around them.
  /// Pictures and files in the text are links to them. A callout is a quote with a bold title; the number of a footnote
  /// is `[1]`, as it is before its text at the end.
  public var rtf: Data {
    var writer = RTFWriter(numbers: footnoteNumbers)
    writer.write(blocks)
    return Data(writer.document.utf8)
  }

  /// The text with a picture below it, for other word processors; reading it again gives the text alone.
  public func rtf(picture: EmbeddedPicture) -> Data {
    var writer = RTFWriter(numbers: footnoteNumbers)
    writer.write(blocks)
    writer.write(picture)
    return Data(writer.document.utf8)
  }
}
