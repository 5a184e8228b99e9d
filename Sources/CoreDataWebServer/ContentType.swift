/// The type of a file, by its name.
enum ContentType {
  static let json = "application/json; charset=utf-8"

  static func of(extension ending: String) -> String {
    types[ending.lowercased()] ?? "application/octet-stream"
  }

  /// Whether pressing the content makes it smaller.
  static func isText(_ type: String) -> Bool {
    type.hasPrefix("text/") || type.hasPrefix("application/json")
      || type.hasPrefix("application/manifest+json") || type.hasPrefix("image/svg")
  }

  private static let types = [
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "mjs": "text/javascript; charset=utf-8",
    "json": json,
    "map": json,
    "webmanifest": "application/manifest+json; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "rtf": "application/rtf",
    "svg": "image/svg+xml; charset=utf-8",
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "webp": "image/webp",
    "gif": "image/gif",
    "heic": "image/heic",
    "avif": "image/avif",
    "ico": "image/vnd.microsoft.icon",
    "woff2": "font/woff2",
    "wasm": "application/wasm",
    "pdf": "application/pdf",
  ]
}
