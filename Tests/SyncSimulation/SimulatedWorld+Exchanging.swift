import CoreDataSync
import CoreDataSyncCore

// What happens while a device and the server exchange changes.

extension SimulatedWorld {
  private func send(_ request: SyncRequest) throws -> SyncResponse {
    try server.send(request, at: now)
  }

  func synchronize(_ device: SimulatedDevice) throws {
    let engine = try device.running()
    try bug?.spoil(engine.sidecar)
    try engine.synchronize(send)
    device.isRestored = false
    device.isUnread = false
    device.isPurged = false
    device.unlinked = []
  }

  /// Ends the program in the middle of an exchange, or lets its disk be full there.
  func crash(_ device: SimulatedDevice, _ chance: inout Chance) throws {
    var left = chance.number(below: 24)
    var own = chance
    do {
      let engine = try device.running()
      engine.world.pass = { _ in
        left -= 1
        if left < 0 { throw Crash() }
      }
      try engine.synchronize(send)
    } catch is Crash {
      trace?("  ends")
    }
    // A full disk ends what is done, and not the program.
    if own.happens(percent: 70) { device.crash() } else { device.engine?.world.pass = { _ in } }
    if own.happens(percent: 50) { try save(at: device, &own) }
  }

  /// Saves something in the middle of an exchange.
  func interrupt(_ device: SimulatedDevice, _ chance: inout Chance) throws {
    var left = chance.number(below: 20)
    var own = chance
    let engine = try device.running()
    engine.world.pass = { [unowned self] moment in
      left -= 1
      guard left == 0 else { return }
      trace?("  saves at \(moment)")
      try save(at: device, &own)
    }
    defer { engine.world.pass = { _ in } }
    try engine.synchronize(send)
  }

  /// Loses the connection before or after a request, and lets others exchange changes between two.
  func lose(_ device: SimulatedDevice, _ chance: inout Chance) throws {
    var own = chance
    do {
      try device.running().synchronize { [unowned self] request in
        if own.happens(percent: 10) { throw ConnectionLost() }
        if own.happens(percent: 20) { _ = try send(request) }
        let response = try send(request)
        if own.happens(percent: circumstances?.lostAnswers ?? 10) { throw ConnectionLost() }
        // Somebody else pushes between two pages.
        if own.happens(percent: 20), let other = own.one(of: devices), other !== device {
          try synchronize(other)
        }
        return response
      }
    } catch is ConnectionLost {
      trace?("  connection lost")
    }
  }
}
