import CoreDataSync
import CoreDataSyncCore

// The events while a device and the server exchange changes.

extension SimulatedWorld {
  private func send(_ request: SyncRequest, from device: SimulatedDevice) throws -> SyncResponse {
    var response = try server.send(request, at: now)
    for key in acknowledgements.keysMadeAgain(by: request, response) {
      let knowing = try devices.filter { try $0 !== device && $0.hasHeardOfTheEnd(of: key) }
      acknowledgements.note(madeAgain: key, known: knowing.map(\.number))
    }
    acknowledgements.note(request, response, from: device.number)
    if case .pull(let pull) = request, pull.isSnapshot { device.forgotten = device.written.count }
    if bug == .staleUndelete { response.remember(acknowledgements.deaths, answering: request) }
    if bug == .restoreResends, device.wasPutBack { response.forgetWatermarks() }
    if lacksTitles { try loseTitles(in: &response, to: device) }
    return response
  }

  /// Lets the server lack titles for a while, as it lacks large values whose files are gone; a device puts them aside.
  private func loseTitles(in response: inout SyncResponse, to device: SimulatedDevice) throws {
    guard case .page(var page) = response else { return }
    let sidecar = try device.running().sidecar
    let late = page.isLast ? try sidecar.takeTurn(ofCellsAside: .max) : []
    page.cells = try page.cells.compactMap { keyed in
      guard keyed.key.field == .value(PropertyID(name: "title")), isLost(),
        try sidecar.cells(of: keyed.key.object)?[keyed.key.field]?.stamp != keyed.cell.stamp
      else { return keyed }
      return try sidecar.putAside(keyed, as: keyed.key).map { KeyedCell(keyed.key, $0) }
    }
    page.cells += late.filter { _ in !isLost() }
    response = .page(page)
  }

  func synchronize(_ device: SimulatedDevice) throws {
    try bug?.spoil(device.running().sidecar)
    try exchange(device) { try send($0, from: device) }
    device.isRestored = false
    device.isUnread = false
    device.isPurged = false
    device.unlinked = []
  }

  /// Lets a device and the server exchange changes to the end.
  private func exchange(
    _ device: SimulatedDevice,
    by send: (SyncRequest) throws -> SyncResponse
  ) throws {
    try device.running().synchronize(send)
    device.isBehindRestoredServer = false
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
      try exchange(device) { try send($0, from: device) }
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
    try exchange(device) { try send($0, from: device) }
  }

  /// Loses the connection before or after a request, and lets others exchange changes between two.
  func lose(_ device: SimulatedDevice, _ chance: inout Chance) throws {
    var own = chance
    do {
      try exchange(device) { request in
        if own.happens(percent: 10) { throw ConnectionLost() }
        if own.happens(percent: 20) { _ = try send(request, from: device) }
        let response = try send(request, from: device)
        if own.happens(percent: circumstances?.lostAnswers ?? 10) { throw ConnectionLost() }
        // Somebody else pushes between two pages.
        if own.happens(percent: 20), let other = own.one(of: devices), other !== device {
          try synchronize(other)
          try checkPairs(at: other)
        }
        return response
      }
    } catch is ConnectionLost {
      trace?("  connection lost")
    }
  }
}

extension SimulatedDevice {
  /// Whether the device knows that an object was deleted, or a member taken out.
  ///
  /// It may know a value that somebody gave an object who did not know of its end, and no life of that.
  fileprivate func hasHeardOfTheEnd(of key: CellKey) throws -> Bool {
    try running().sidecar.cells(of: key.object)?[key.field]?.isEnd(at: key.field) ?? false
  }
}

extension SyncResponse {
  /// Tells a device that begins again about deletions that the server has forgotten.
  fileprivate mutating func remember(_ deaths: [KeyedCell], answering request: SyncRequest) {
    guard case .page(var page) = self, case .pull(let pull) = request, pull.isSnapshot, page.isLast
    else { return }
    page.cells += deaths
    self = .page(page)
  }

  /// Does not tell what the server has had of each writer.
  fileprivate mutating func forgetWatermarks() {
    guard case .page(var page) = self else { return }
    page.watermarks = [:]
    self = .page(page)
  }
}
