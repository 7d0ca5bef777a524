/** What studio/gallery-plugin.js makes of the folder scenes/. */
declare module 'virtual:heddle-gallery' {
  export interface GalleryScene {
    readonly name: string;
    readonly title: string;
    readonly description: string;
    readonly paper?: string;
    readonly figure?: string;
    /** Types of the objects in it: strand, … */
    readonly models: readonly string[];
    /** Address of its picture. */
    readonly picture: string | undefined;
    /** The text of the scene file. */
    load(): Promise<string>;
  }
  export const SCENES: readonly GalleryScene[];
  /** Addresses of the mesh files beside the scenes. */
  export const MESHES: Readonly<Record<string, string>>;
}

/** The address of a picture of docs/pictures. */
declare module 'virtual:heddle-picture/*' {
  const address: string;
  // biome-ignore lint/style/noDefaultExport: this is how the bundler gives it
  export default address;
}
