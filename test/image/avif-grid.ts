import { box, uint32 } from './pictures.ts';

/** `tile`: a plain AVIF, which is used for every cell of the grid. */
type AvifGrid = {
  tile: Buffer;
  tileWidth: number;
  tileHeight: number;
  columns: number;
  rows: number;
  width: number;
  height: number;
};

const GRID_ID = 1;
const TILE_ID = 2;

/** An AVIF composed of tiles, as cameras write large pictures. */
export function avifGrid({ tile, tileWidth, tileHeight, columns, rows, width, height }: AvifGrid): Buffer {
  const pixels = boxIn(tile, 'mdat').subarray(8);
  const grid = Buffer.concat([Buffer.from([0, 1, rows - 1, columns - 1]), uint32(width), uint32(height)]);
  const item = (id: number, type: string) => fullBox('infe', 2, uint16(id), uint16(0), Buffer.from(`${type}\0`));
  const places = Array.from({ length: columns * rows }, () => uint16(TILE_ID));
  const properties = [size(width, height), size(tileWidth, tileHeight), boxIn(tile, 'av1C'), boxIn(tile, 'pixi')];
  const associations = [uint16(GRID_ID), Buffer.from([2, 1, 4]), uint16(TILE_ID), Buffer.from([3, 2, 0x83, 4])];
  const location = (id: number, method: number, offset: number, length: number) =>
    Buffer.concat([uint16(id), uint16(method), uint16(0), uint16(1), uint32(offset), uint32(length)]);
  const head = (pixelsAt: number): Buffer =>
    Buffer.concat([
      box('ftyp', Buffer.concat([Buffer.from('avif'), uint32(0), Buffer.from('avifmif1miafMA1A')])),
      fullBox(
        'meta',
        0,
        fullBox('hdlr', 0, uint32(0), Buffer.from('pict'), Buffer.alloc(13)),
        fullBox('pitm', 0, uint16(GRID_ID)),
        fullBox('iinf', 0, uint16(2), item(GRID_ID, 'grid'), item(TILE_ID, 'av01')),
        fullBox('iref', 0, box('dimg', Buffer.concat([uint16(GRID_ID), uint16(places.length), ...places]))),
        box(
          'iprp',
          Buffer.concat([box('ipco', Buffer.concat(properties)), fullBox('ipma', 0, uint32(2), ...associations)]),
        ),
        fullBox(
          'iloc',
          1,
          Buffer.from([0x44, 0]),
          uint16(2),
          location(GRID_ID, 1, 0, grid.length),
          location(TILE_ID, 0, pixelsAt, pixels.length),
        ),
        box('idat', grid),
      ),
    ]);
  return Buffer.concat([head(head(0).length + 8), box('mdat', pixels)]);
}

function size(width: number, height: number): Buffer {
  return fullBox('ispe', 0, uint32(width), uint32(height));
}

function fullBox(type: string, version: number, ...data: Buffer[]): Buffer {
  return box(type, Buffer.concat([Buffer.from([version, 0, 0, 0]), ...data]));
}

function boxIn(file: Buffer, type: string): Buffer {
  const at = file.indexOf(type) - 4;
  return file.subarray(at, at + file.readUInt32BE(at));
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
