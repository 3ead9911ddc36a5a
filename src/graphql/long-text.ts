/** In the extensions of a field: its values are long texts, which count in the cost of an operation. */
export const LONG_TEXT = 'longText';
