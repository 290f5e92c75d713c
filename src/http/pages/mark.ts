/** The gateway's mark, a gate with a keyhole: the icon of its pages, and shown beside their titles. */
export const mark =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1f3a5f"/>' +
  '<path d="M9 25V15a7 7 0 0 1 14 0v10" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/>' +
  '<circle cx="16" cy="20" r="2.6" fill="#f5b82e"/></svg>';
