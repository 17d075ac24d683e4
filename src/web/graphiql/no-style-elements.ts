/**
 * Stands in for `react-style-singleton`. GraphiQL's dialogs use that package to add a style element that locks the scrollbar of
 * the page. The content security policy blocks such elements, and this page has no scrollbar.
 */
export const styleSingleton = () => (): null => null;
