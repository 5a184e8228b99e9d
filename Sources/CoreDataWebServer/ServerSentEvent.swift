import Foundation

/// One message of an event stream.
public struct ServerSentEvent: Sendable, Equatable {
  public var id: String?
  public var name: String?
  public var data: String

  public init(id: String? = nil, name: String? = nil, data: String) {
    self.id = id
    self.name = name
    self.data = data
  }

  /// A message that carries a value as JSON.
  public init(id: String? = nil, name: String? = nil, json value: some Encodable) throws {
    self.init(
      id: id,
      name: name,
      data: String(decoding: try JSON.encoder().encode(value), as: UTF8.self)
    )
  }

  /// A message that carries a value as JSON; `nil` for a value without a form in JSON, which is
  /// reported to the log.
  ///
  /// ```
  /// if let event = ServerSentEvent(name: "notes", orReport: rows) { hub.send(event) }
  /// ```
  ///
  /// For streams, which go on without the message: there is no client to answer.
  public init?(
    id: String? = nil,
    name: String,
    orReport value: some Encodable,
    to log: AccessLog = .standardError
  ) {
    do {
      try self.init(id: id, name: name, json: value)
    } catch {
      log.report("the event “\(name)” cannot be sent: \(error)")
      return nil
    }
  }

  /// The message as it is sent: a line for each line of data, and an empty line.
  var bytes: Data {
    var text = ""
    if let id { text += "id: \(id.onOneLine)\n" }
    if let name { text += "event: \(name.onOneLine)\n" }
    for line in data.split(omittingEmptySubsequences: false, whereSeparator: \.isLineEnd) {
      text += "data: \(line)\n"
    }
    return Data((text + "\n").utf8)
  }
}

extension String {
  fileprivate var onOneLine: String { filter { !$0.isLineEnd && $0 != "\0" } }
}

extension Character {
  /// The three line ends of an event stream; other separators are text.
  fileprivate var isLineEnd: Bool { self == "\n" || self == "\r" || self == "\r\n" }
}
