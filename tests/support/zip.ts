import { fromBuffer } from 'yauzl'

/** The files of a zip by name. @throws when it is damaged or cut short */
export function unzip(bytes: Uint8Array): Promise<Map<string, Buffer>> {
  return new Promise((done, fail) => {
    fromBuffer(Buffer.from(bytes), { lazyEntries: true }, (error, zip) => {
      if (error) return fail(error)
      const files = new Map<string, Buffer>()
      zip.on('error', fail)
      zip.on('end', () => done(files))
      zip.on('entry', (entry) =>
        zip.openReadStream(entry, async (error, stream) => {
          if (error) return fail(error)
          try {
            files.set(entry.fileName, Buffer.concat(await stream.toArray()))
            zip.readEntry()
          } catch (error) {
            fail(error as Error)
          }
        }),
      )
      zip.readEntry()
    })
  })
}
