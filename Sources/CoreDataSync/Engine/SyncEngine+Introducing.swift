import CoreDataSyncCore

// MARK: - What this device is called

extension SyncEngine {
  /// Tells the others what this device is called, together with the first change of its own that waits.
  ///
  /// Nothing is sent where nothing has changed; a name that has changed is told with the next change. An exchange that
  /// sends something costs two statements more for it.
  func introduce() throws {
    guard !world.deviceName.isEmpty, let device = try sidecar.device,
      let stamp = try sidecar.unsentCells(limit: 1).first?.cell.stamp,
      DeviceTag(writer: stamp.writer) == device
    else { return }
    let name = DeviceTag.shown(world.deviceName)
    let known = try sidecar.cells(of: device.object)
    if known?.value(DeviceTag.name) == .text(name) { return }
    let told = known?.values[DeviceTag.name]?.stamp ?? .zero
    if told >= stamp { return }
    try sidecar.transact {
      if known?.isAlive != true {
        let life = CellValue.entity(DeviceTag.entity).payload
        let key = CellKey(device.object, .life)
        try sidecar.put(KeyedCell(key, Cell(epoch: 1, stamp: stamp, payload: life)), isUnsent: true)
      }
      let key = CellKey(device.object, .value(DeviceTag.name))
      let cell = Cell(
        epoch: 1,
        stamp: stamp,
        base: told.moment,
        payload: CellValue.text(name).payload
      )
      try sidecar.put(KeyedCell(key, cell), isUnsent: true)
    }
  }
}

// MARK: - Who has written something

extension Sidecar {
  /// The name of the device whose program has given a stamp; `nil` if it has not sent one, as earlier versions do not.
  func deviceName(ofWriter writer: UInt64) throws -> String? {
    let cells = try cells(of: DeviceTag(writer: writer).object)
    guard cells?.entity == DeviceTag.entity, case .text(let name)? = cells?.value(DeviceTag.name)
    else { return nil }
    let shown = DeviceTag.shown(name)
    return shown.isEmpty ? nil : shown
  }
}
