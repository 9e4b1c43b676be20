// What a page and the frame that draws for it say to each other.

export interface Asked {
  readonly id: string;
  readonly source: string;
  readonly theme: Theme;
}

/** The page's colours and font as plain values. */
export interface Theme {
  readonly dark: boolean;
  readonly paper: string;
  readonly card: string;
  readonly ink: string;
  readonly soft: string;
  readonly line: string;
  readonly edge: string;
  readonly drain: string;
  readonly wash: string;
  readonly font: string;
}

export type Drawn =
  | {readonly id: string; readonly svg: string; readonly css: string}
  | {readonly id: string; readonly failed: string};

/** Where a style attribute is kept: the page may not have any in its markup. */
export const styleKept = 'data-css';
