import { getPreferences, type Preferences } from './preferences.ts';

/** Sets theme and density as attributes of the root element, from which the design tokens derive. */
export function applyTheme({ theme, density }: Preferences = getPreferences()): void {
  const { dataset } = document.documentElement;
  dataset.density = density;
  if (theme === 'system') delete dataset.theme;
  else dataset.theme = theme;
}
