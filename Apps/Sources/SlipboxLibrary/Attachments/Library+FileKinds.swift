import CoreData
import Foundation
import Pictures

extension Library {
  /// Recognises the files that were kept by a version of the program that knew fewer kinds; once for a store.
  ///
  /// Their contents are read one after another, beside the writer.
  func recognizeFiles() async throws {
    if try await read({ Self.version(of: Self.markOfKinds, in: $0) }) >= Self.latestKinds { return }
    let ids = try await read { context in
      let request = NSFetchRequest<NSManagedObjectID>(entityName: "Attachment")
      request.resultType = .managedObjectIDResultType
      request.predicate = NSPredicate(format: "uuid_ != nil AND type_ == %@", FileKind.other.type)
      return try context.fetch(request)
    }
    for id in ids {
      try Task.checkCancellation()
      guard let (kind, size) = await self.kind(ofFile: id) else { continue }
      try await write(by: nil) { context in
        // It may be gone since.
        guard let file = try? context.existingObject(with: id) as? Attachment else { return }
        file.type_ = kind.type
        file.pixelWidth = Int64(size?.width ?? 0)
        file.pixelHeight = Int64(size?.height ?? 0)
      }
    }
    try await write(by: nil) { Self.setVersion(Self.latestKinds, of: Self.markOfKinds, in: $0) }
  }

  /// The kind that a file has by its contents; `nil` if it is still not known.
  private func kind(ofFile id: NSManagedObjectID) async -> (FileKind, PictureSize?)? {
    let context = pictures
    return await context.perform { @Sendable in
      // Nothing of it stays behind.
      defer { context.reset() }
      let file = try? context.existingObject(with: id) as? Attachment
      guard let data = file?.fullImageData else { return nil }
      let kind = FileKind(of: data)
      let size = kind == .svg ? SVGHead.size(of: data) : nil
      return kind == .other || (kind == .svg && size == nil) ? nil : (kind, size)
    }
  }

  private static let markOfKinds = "SlipboxKindsOfFiles"
  /// Version 1 knows sounds, films and SVG.
  private static let latestKinds = 1
}
