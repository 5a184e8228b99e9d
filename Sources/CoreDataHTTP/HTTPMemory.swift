import CoreDataCMicroHTTPD

/// The memory of the process, as far as the C library keeps it.
public enum HTTPMemory {
  /// Has the C library give the memory of large bodies back to the system with each of them, for the whole process.
  ///
  /// Otherwise it keeps more and more of it, for bodies of the same size on the same thread.
  public static func keepLow() { coredata_http_keep_memory_low() }

  /// Gives memory that nobody uses back to the system now.
  public static func giveBack() { coredata_http_return_memory() }
}
