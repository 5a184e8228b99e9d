public import Foundation

/// Why a PDF, or a page of it, is not shown.
public enum PDFError: Error, Sendable, Equatable {
  case damaged
  case noPage(Int)
  case tooLarge
  /// Reading it takes more memory or time than one file may.
  case tooDear
  /// The library for pictures was built without a reader of PDFs.
  case noReader
  /// The program that reads texts is not installed.
  case noTool
  /// The program that reads files cannot be started.
  case noHelper(String)
}

extension PDFError {
  /// Whether it is the same whenever the file is read again.
  public var isLasting: Bool {
    switch self {
    case .damaged, .noPage, .tooLarge, .tooDear: true
    case .noReader, .noTool, .noHelper: false
    }
  }
}

extension PDFError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .damaged:
      "The PDF cannot be read: it is damaged or locked with a password. It can be saved and opened with another program."
    case .noPage(let number): "The PDF has no page \(number)."
    case .tooLarge:
      "The PDF has more than \(PDFFile.byteLimit / 1_048_576) MB. It can be saved and opened with another program."
    case .tooDear:
      "The page takes more memory or time than one page may. The PDF can be saved and opened with another program."
    case .noReader:
      "The server cannot show pages of PDFs: its library libvips was built without poppler."
    case .noTool:
      "The server does not search texts of PDFs: pdftotext is missing. Debian has it in the package poppler-utils."
    case .noHelper(let reason): "PDFs cannot be read now: \(reason)."
    }
  }
}
