public import Foundation

/// The pages of a PDF as pictures, and its text.
///
///     first bytes ─▶ PictureHelper ─▶ number of pages, a page as a JPEG      libvips with poppler
///                                  ─▶ text                                   pdftotext of Debian's poppler-utils
///
/// Only a process of its own with limits (``PictureHelper``) reads the file; damage that a PDF does to its reader ends with
/// that process.
public enum PDFFile {
  /// The most bytes that are read, the last page that can be seen, and the last page whose text is read.
  public static let byteLimit = 64 << 20
  public static let pageLimit = 10_000
  static let textPageLimit = 2_000

  /// How many pages there are.
  ///
  /// - Throws: A ``PDFError`` for data that is not a PDF, or is damaged, locked or too large.
  public static func pageCount(of data: Data) async throws -> Int {
    try await PictureHelper.pageCount(of: checked(data))
  }

  /// Draws a page, on white paper.
  ///
  /// - Parameters:
  ///   - number: The page, from 1 on.
  ///   - data: The file.
  ///   - longestSide: The pixels of its longer side; at most 2,400.
  /// - Returns: A JPEG.
  /// - Throws: A ``PDFError`` for a page that is not there, or a file that cannot be read.
  public static func page(_ number: Int, of data: Data, longestSide: Int) async throws -> Data {
    guard (1...pageLimit).contains(number) else { throw PDFError.noPage(number) }
    return try await PictureHelper.page(number, of: checked(data), longestSide: longestSide)
  }

  /// Reads the words of all pages, in the order in which one reads them.
  ///
  /// - Parameters:
  ///   - data: The file.
  ///   - limit: The most bytes of text; the rest is left out.
  ///   - tool: The path of `pdftotext`.
  /// - Returns: The words in lines; empty if the pages are pictures.
  /// - Throws: A ``PDFError`` for a file that cannot be read, and if the tool is missing.
  public static func text(
    of data: Data,
    atMost limit: Int,
    tool: String? = textTool
  ) async throws -> String {
    guard let tool else { throw PDFError.noTool }
    let text = try await PictureHelper.text(of: checked(data), atMost: limit, tool: tool)
    return PDFText.words(of: String(decoding: text, as: UTF8.self))
  }

  /// The program that reads texts; `nil` without Debian's package poppler-utils.
  public static var textTool: String? {
    ["/usr/bin/pdftotext", "/usr/local/bin/pdftotext"].first { access($0, X_OK) == 0 }
  }

  /// The data, if a parser may see it.
  private static func checked(_ data: Data) throws(PDFError) -> Data {
    guard data.count <= byteLimit else { throw .tooLarge }
    guard data.starts(with: "%PDF-".utf8) else { throw .damaged }
    return data
  }
}
