import Foundation

/// A small PDF with a line of text on each page.
enum PDFSample {
  /// Writes a file.
  ///
  /// - Parameters:
  ///   - lines: The text of each page, in Latin letters.
  ///   - size: The width and height of a page in points.
  /// - Returns: The file.
  static func pdf(_ lines: [String], size: (Int, Int) = (300, 200)) -> Data {
    let font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    let pages = lines.indices.map { "\(4 + 2 * $0) 0 R" }.joined(separator: " ")
    var objects = [
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [\(pages)] /Count \(lines.count) >>", font,
    ]
    for (index, line) in lines.enumerated() {
      let content = line.split(separator: "\n").enumerated().map { row, words in
        "BT /F1 18 Tf 20 \(size.1 - 40 - 24 * row) Td (\(words)) Tj ET"
      }.joined(separator: "\n")
      objects.append(
        """
        << /Type /Page /Parent 2 0 R /MediaBox [0 0 \(size.0) \(size.1)] /Contents \(5 + 2 * index) 0 R \
        /Resources << /Font << /F1 3 0 R >> >> >>
        """
      )
      objects.append("<< /Length \(content.utf8.count) >>\nstream\n\(content)\nendstream")
    }
    var file = "%PDF-1.4\n"
    var places: [Int] = []
    for (index, object) in objects.enumerated() {
      places.append(file.utf8.count)
      file += "\(index + 1) 0 obj\n\(object)\nendobj\n"
    }
    let table = places.map { String(format: "%010d 00000 n \n", $0) }.joined()
    let head = "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
    let end =
      "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R >>\nstartxref\n\(file.utf8.count)\n"
    return Data((file + head + table + end + "%%EOF\n").utf8)
  }
}
