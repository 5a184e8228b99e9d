import CoreData
import Foundation

// MARK: - How a pooler lends connections

extension PostgreSQLAddress {
  /// The part of an address about a pooler in front of its server, as in `?pooling=transaction`.
  struct Pooling {
    /// The address without that, which libpq does not know.
    let url: URL
    /// Whether it lends a connection for one transaction at a time; `nil` if the address does not specify it.
    let isByTransaction: Bool?
  }

  /// Reads the parameter `pooling` of an address, and the option of a store that says the same.
  ///
  /// Throws for a word that is neither of the two, and if they contradict each other.
  static func pooling(of url: URL, _ option: Any? = nil) throws -> Pooling {
    let parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
    let items = parts?.queryItems?.filter { $0.name == poolingParameter } ?? []
    let isText = option.map { $0 is String } ?? true
    let words = Set(items.map { $0.value ?? "" } + (option.map { ["\($0)"] } ?? []))
    guard isText, words.count < 2, words.isSubset(of: ["session", "transaction"]) else {
      let list = words.sorted().map { "“\($0.prefix(100))”" }.joined(separator: " and ")
      throw PostgreSQLFailure(.noPooling(list), path: StoreAddress.shown(url)).error()
    }
    return Pooling(
      url: items.isEmpty ? url : url.withoutQueryItem(poolingParameter),
      isByTransaction: words.first.map { $0 == "transaction" }
    )
  }

  private static let poolingParameter = "pooling"
}

extension URL {
  /// The address without a parameter; all else is as it was written.
  fileprivate func withoutQueryItem(_ name: String) -> URL {
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: false) else { return self }
    let rest = parts.percentEncodedQueryItems?.filter { $0.name.removingPercentEncoding != name }
    parts.percentEncodedQueryItems = rest?.isEmpty == true ? nil : rest
    return parts.url ?? self
  }
}
