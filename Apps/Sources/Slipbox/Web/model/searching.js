// What is searched for: words, at most one status and other tokens, here or everywhere.

import { state } from "./state.js";

export const TOKENS = [
  { id: "draft", name: "Draft", fullName: "Draft status", icon: "pencil", isStatus: true },
  { id: "review", name: "Review", fullName: "Review status", icon: "eye", isStatus: true },
  { id: "archived", name: "Archived", fullName: "Archived status", icon: "archive", isStatus: true },
  { id: "last24Hours", name: "24 h", fullName: "Last 24 hours", icon: "clock" },
  { id: "last7Days", name: "7 d", fullName: "Last 7 days", icon: "calendar" },
  { id: "withAttachment", name: "Picture", fullName: "Notes with a picture", icon: "image" },
];

export const search = { text: "", tokens: [], scope: "here", isOpen: false, active: -1 };

export const isSearching = () => search.text.trim() !== "" || search.tokens.length > 0;
export const isScoped = () => state.place !== "all";
