// swift-format-ignore-file
import UIKit

final class EntriesViewController: UITableViewController, EntriesControllerDelegate {

    private let entries = EntriesController()

    override func viewDidLoad() {
        super.viewDidLoad()
        entries.delegate = self
        try? entries.load()
    }

    override func numberOfSections(in tableView: UITableView) -> Int {
        return entries.sections.count
    }

    func entriesDidChange(_ controller: EntriesController) {
        tableView.reloadData()
    }
}
