import Foundation

/// The largest size that the system lets files of this program have, such as that of `ulimit -f`.
package enum FileSizeLimit {
  /// Whether there is one, so that a write may be refused on a disk with room.
  package static var isSet: Bool {
    #if canImport(Glibc)
    let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #else
    let resource = RLIMIT_FSIZE
    #endif
    var limit = rlimit()
    return getrlimit(resource, &limit) == 0 && limit.rlim_cur < rlim_t(Int64.max)
  }
}
