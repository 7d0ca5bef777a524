/** The panels beside the view; each is loaded when it is first opened. */

export type PanelName = 'view' | 'parameters' | 'plots' | 'editor' | 'compare' | 'take-away';

export const PANELS: readonly { readonly name: PanelName; readonly title: string; load(): Promise<unknown> }[] = [
  { name: 'view', title: 'View', load: () => import('./view-panel.ts') },
  { name: 'parameters', title: 'Change', load: () => import('../panels/parameters.ts') },
  { name: 'plots', title: 'Measure', load: () => import('../panels/plots.ts') },
  { name: 'editor', title: 'Scene', load: () => import('../panels/editor.ts') },
  { name: 'compare', title: 'Compare', load: () => import('./compare-panel.ts') },
  { name: 'take-away', title: 'Export', load: () => import('./take-away.ts') },
];
