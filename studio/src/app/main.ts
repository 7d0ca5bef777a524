/** The first thing the page runs: theme, then the app. */
import './app.ts';
import { applyTheme, followSystemTheme, readThemeChoice } from './theme.ts';

applyTheme(readThemeChoice());
followSystemTheme();
