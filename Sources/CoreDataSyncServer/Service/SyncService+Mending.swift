import CoreDataSyncCore
import CoreDataSyncCrypto

// MARK: - Values that were damaged

extension SyncService {
  /// Performs `work`; if it meets damaged cells, puts them aside, and tells the device that the server was restored.
  func mending(_ zone: String, _ work: () throws -> SyncResponse) throws -> SyncResponse {
    do {
      return try work()
    } catch is DamagedCells {
      let count = try zones.putDamagedAside(in: zone)
      tellOwner(
        """
        Something has changed \(count == 1 ? "a value" : "\(count) values") of the zone \(zone) in the server's file. What was \
        there is in its table damaged now, and devices that have the values send them again. Look at the disk and the \
        memory of this machine.
        """
      )
      return .refused(.rewound)
    }
  }
}

// MARK: - Large values that were lost

extension SyncService {
  /// Asks all devices for the assets that a zone lacks, now that one of them was missed.
  ///
  /// Nothing is thrown: the device that has missed it hears that.
  func askForAssets(of zone: String) {
    guard lost.begin(zone, at: clock()) else { return }
    do {
      let head = try zones.giveAgain(
        valuesWith: { [assets] asset in
          try !assets.has(asset, zone: zone) && lost.isDue(asset.hash, zone, at: clock())
        },
        in: zone
      )
      if let head { news.ring(zone, head: head) }
    } catch {
      _ = refusal(for: error)
    }
  }

  /// Has devices ask for what they missed: the last change has another number, and nothing else is new.
  func tellOfReturn(in zone: String) {
    do {
      news.ring(zone, head: try zones.raiseHead(of: zone))
    } catch {
      // They ask every ten minutes anyway.
      _ = refusal(for: error)
    }
  }
}
