import CoreDataHTTP
import Foundation

/// A body while it arrives.
enum BodyReader: Sendable {
  case memory(Data, limit: Int, BodyAllowance.Share)
  case file(UploadFile, count: Int, limit: Int, type: String?)
  case parts(MultipartReader)
  /// While a piece is added: the content has one owner, and is not copied.
  case taken

  init(
    _ place: BodyPlace,
    _ headers: Headers,
    _ framing: RequestFraming,
    _ configuration: ServerConfiguration,
    _ allowance: BodyAllowance,
    uploads: URL
  ) throws(Problem) {
    let limit: Int
    switch place {
    case .memory: limit = configuration.bodyLimit
    case .file, .parts: limit = configuration.uploadLimit
    case .archive: limit = configuration.archiveLimit
    }
    if case .length(let length) = framing, length > limit { throw .tooLarge(limit) }
    switch place {
    case .memory:
      self = .memory(Data(capacity: min(framing.length, limit)), limit: limit, allowance.share())
    case .file, .archive:
      self = .file(
        try UploadFile(in: uploads),
        count: 0,
        limit: limit,
        type: headers["Content-Type"]
      )
    case .parts:
      self = .parts(
        try MultipartReader(
          contentType: headers["Content-Type"],
          folder: uploads,
          limit: limit
        )
      )
    }
  }

  mutating func take(_ bytes: UnsafeRawBufferPointer) throws(Problem) {
    switch self {
    case .memory(var data, let limit, let share):
      guard data.count + bytes.count <= limit else { throw .tooLarge(limit) }
      try share.take(bytes.count)
      self = .taken
      data.append(contentsOf: bytes)
      self = .memory(data, limit: limit, share)
    case .file(let file, let count, let limit, let type):
      guard count + bytes.count <= limit else { throw .tooLarge(limit) }
      try file.write(bytes)
      self = .file(file, count: count + bytes.count, limit: limit, type: type)
    case .parts(var reader):
      self = .taken
      try reader.take(bytes)
      self = .parts(reader)
    case .taken: break
    }
  }

  /// Puts the received body into the request.
  ///
  /// The files, and the body's share of the memory, live as long as the returned objects.
  func finish(_ request: inout Request) throws(Problem) -> [any AnyObject & Sendable] {
    switch self {
    case .memory(let data, _, let share):
      request.body = data
      return [share]
    case .taken: return []
    case .file(let file, let count, _, let type):
      file.finish()
      request.upload = Upload(file: file.url, byteCount: count, contentType: type)
      return [file]
    case .parts(let reader):
      let (parts, files) = try reader.finish()
      request.parts = parts
      return files
    }
  }
}

extension Problem {
  static func tooLarge(_ limit: Int) -> Problem {
    Problem(413, "The body is too large; up to \(limit.asBytes) are taken.")
  }
}

extension Int {
  /// The count in the largest unit that it fills: “64 MB”.
  var asBytes: String {
    switch self {
    case 1 << 20..<Int.max: "\(self >> 20) MB"
    case 1 << 10..<1 << 20: "\(self >> 10) kB"
    case _: "\(self) bytes"
    }
  }
}
