import CVips
import Foundation

/// A PDF that the library for pictures has opened, in the helper's process.
struct OpenPDF {
  let pageCount: Int
  private let data: Data

  init(_ data: Data) throws(PDFError) {
    guard cvips_allow_pdf() else { throw .noReader }
    defer { vips_error_clear() }
    let count = data.withUnsafeBytes { cvips_pdf_pages($0.baseAddress, $0.count) }
    guard count > 0 else { throw .damaged }
    pageCount = Int(count)
    self.data = data
  }

  /// A page on white paper.
  func page(_ number: Int, longestSide: Int) throws(PDFError) -> Data {
    guard (1...min(pageCount, PDFFile.pageLimit)).contains(number) else { throw .noPage(number) }
    let side = Int32(min(max(Self.sides.lowerBound, longestSide), Self.sides.upperBound))
    defer { vips_error_clear() }
    let jpeg: Data? = data.withUnsafeBytes { bytes in
      var result: UnsafeMutableRawPointer?
      var count = 0
      let code = cvips_pdf_page(
        bytes.baseAddress,
        bytes.count,
        Int32(number - 1),
        side,
        &result,
        &count
      )
      defer { cvips_free(result) }
      return code == 0 ? result.map { Data(bytes: $0, count: count) } : nil
    }
    guard let jpeg else { throw .damaged }
    return jpeg
  }

  private static let sides = 50...2_400
}
