import CoreData
public import Foundation
import Pictures

/// The facts about a PDF that its pages are shown with.
public struct PDFFacts: Encodable, Sendable, Equatable {
  public let pages: Int
  /// Why its text is not searched; null if it is, or soon will be.
  @OrNull public var unsearched: String?
}

extension Library {
  /// How many pages a PDF has, and whether its text is searched.
  ///
  /// - Throws: A ``LibraryProblem`` if the file is not there, is not a PDF, or cannot be read.
  public func pages(ofFile id: UUID) async throws -> PDFFacts {
    let (object, _) = try await pdf(id)
    let tool = PDFFile.textTool
    let unsearched = tool == nil ? PDFError.noTool.localizedDescription : nil
    if let known = pageShelf.pageCount(of: object) {
      return PDFFacts(pages: known, unsearched: unsearched)
    }
    return PDFFacts(pages: try await countPages(of: object, id), unsearched: unsearched)
  }

  private func countPages(of object: NSManagedObjectID, _ id: UUID) async throws -> Int {
    try await readPDF(object) {
      let count = try await PDFFile.pageCount(of: try await original(.file(id)).data)
      pageShelf.keep(count, for: object)
      return count
    }
  }

  /// A page of a PDF as a picture.
  ///
  /// - Parameters:
  ///   - number: The page, from 1 on.
  ///   - id: The file.
  ///   - size: The pixels of the longer side; a few sizes are made.
  /// - Returns: A JPEG.
  /// - Throws: A ``LibraryProblem`` if the file or the page is not there, or cannot be read.
  public func page(_ number: Int, ofFile id: UUID, size: Int) async throws -> OriginalPicture {
    let size = [600, 1200, 2400].first { $0 >= size } ?? 2400
    let (object, facts) = try await pdf(id)
    let key = ThumbnailShelf.Key(attachment: object, size: size, page: number)
    if let known = thumbnails[key] { return facts.page(number, known, size) }
    let data = try await readPDF(object) {
      let original = try await original(.file(id)).data
      return try await PDFFile.page(number, of: original, longestSide: size)
    }
    thumbnails.keep(data, for: key)
    return facts.page(number, data, size)
  }

  private func pdf(_ id: UUID) async throws -> (NSManagedObjectID, OriginalPicture.Facts) {
    try await read { context in
      let file = try context.attachment(.file(id))
      guard file.type == FileKind.pdf.type else {
        throw LibraryProblem.unsuitable("The file “\(file.name)” is not a PDF, so it has no pages.")
      }
      return (file.objectID, OriginalPicture.Facts(file))
    }
  }

  /// Reads a PDF, unless it is known that it cannot be read.
  private func readPDF<Value>(
    _ object: NSManagedObjectID,
    _ read: () async throws -> Value
  ) async throws -> Value {
    if let error = pageShelf.failure(of: object) { throw LibraryProblem(error) }
    do {
      return try await read()
    } catch let error as PDFError {
      pageShelf.keep(error, for: object)
      throw LibraryProblem(error)
    }
  }
}

extension OriginalPicture.Facts {
  fileprivate func page(_ number: Int, _ data: Data, _ size: Int) -> OriginalPicture {
    let tag = "\(tag)-\(number)-\(size)"
    return OriginalPicture(facts: .init(name: name, type: "image/jpeg", tag: tag), data: data)
  }
}

extension LibraryProblem {
  fileprivate init(_ error: PDFError) {
    let sentence = error.localizedDescription
    self =
      switch error {
      case .damaged: .unsuitable(sentence)
      case .noPage: .missing(sentence)
      case .tooLarge, .tooDear: .tooLarge(sentence)
      case .noReader, .noTool, .noHelper: .unable(sentence)
      }
  }
}
