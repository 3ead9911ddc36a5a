/** The documented operations of public methods, and their descriptions. */
export const publicOperations = {
  list: 'Lists records, newest first.',
  get: 'Reads one record.',
  create: 'Creates a record.',
  update: 'Changes a record.',
  delete: 'Deletes a record.',
  search: 'Searches records.',
};
