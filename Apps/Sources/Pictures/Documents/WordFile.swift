public import Foundation

/// A document for Word and LibreOffice, made of a web page.
///
///     page with its pictures in it ─▶ PictureHelper ─▶ pandoc of Debian ─▶ DOCX
///
/// Pandoc runs in the process with limits that pictures are read in (``PictureHelper``). The page must not name files or
/// addresses of pictures: pandoc would read them.
public enum WordFile {
  /// The most bytes of a page.
  ///
  /// Pandoc needs several times as much memory.
  public static let byteLimit = 100 << 20

  /// Makes the document.
  ///
  /// - Parameters:
  ///   - page: HTML in UTF-8.
  ///   - tool: The path of `pandoc`.
  /// - Returns: A DOCX.
  /// - Throws: A ``WordError`` if the tool is missing, or cannot make it within its limits.
  public static func made(of page: Data, tool: String? = tool) async throws -> Data {
    guard let tool else { throw WordError.noTool }
    guard page.count <= byteLimit else { throw WordError.tooDear }
    return try await PictureHelper.wordFile(of: page, tool: tool)
  }

  /// The program that makes documents; `nil` without Debian's package pandoc.
  public static var tool: String? {
    ["/usr/bin/pandoc", "/usr/local/bin/pandoc"].first { access($0, X_OK) == 0 }
  }
}
