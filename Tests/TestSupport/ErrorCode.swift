import Foundation

/// The code of the error that the body throws; nil when it throws none.
public func errorCode<Result>(_ body: () throws -> Result) -> Int? {
  do {
    _ = try body()
    return nil
  } catch {
    return (error as NSError).code
  }
}
