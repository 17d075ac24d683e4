import { getPreferences, type Preferences } from './preferences.ts';

/** Puts theme and density on the root element, where the design tokens look for them. */
export function applyTheme({ theme, density }: Preferences = getPreferences()): void {
  const { dataset } = document.documentElement;
  dataset.density = density;
  if (theme === 'system') delete dataset.theme;
  else dataset.theme = theme;
}
