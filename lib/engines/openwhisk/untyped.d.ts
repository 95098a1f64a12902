/** The files below the door of the platform's client have no declarations. */
declare module 'openwhisk/lib/*' {
  type Call = (options?: string | { name: string; [option: string]: unknown }) => Promise<any>
  const Resources: new (sender: object) => Record<'create' | 'list' | 'get' | 'update' | 'delete', Call>
  export = Resources
}
