/** The colours of a picture: the one to draw with, and what they are called. */

import { Merge, Palette, Plus, Trash2 } from "lucide";
import { Swatches } from "../board/board.tsx";
import { addColour, INKS, mergeColour, renameColour } from "../model/picture.ts";
import { colourName } from "../shared/colours.ts";
import { IconChoice, ToolButton } from "../shared/controls.tsx";
import { useLanguage } from "../shared/language.ts";
import { useTexts } from "../texts/language.ts";
import { Field, Panel, type PictureProps } from "./panels.tsx";

/** The colour to draw with. */
export function Inks({ picture, onChange, chosen, onChoose }: PictureProps & { chosen: number; onChoose(colour: number): void }) {
  const t = useTexts().studio;
  return (
    <Swatches label={t.colours} palette={picture.palette} chosen={chosen} onChoose={onChoose} hasBackground>
      <ToolButton
        icon={Plus}
        name={t.addColour}
        isDisabled={picture.palette.length > INKS.length}
        onClick={() => {
          onChange(addColour(picture));
          onChoose(picture.palette.length);
        }}
      />
    </Swatches>
  );
}

/** Names and values of the colours, and how to be rid of one. */
export function Colours({ picture, onChange }: PictureProps) {
  const t = useTexts().studio;
  const language = useLanguage();
  const { palette } = picture;
  const called = palette.map(({ name }) => colourName(name, language));
  return (
    <Panel icon={Palette} title={t.colours} value={called.slice(1).join(", ")} isShut>
      {palette.map(({ rgb, char }, i) => (
        <span key={char} class="entry colour">
          <input type="color" aria-label={t.colourValue(called[i] ?? "")} value={rgb} onChange={(event) => onChange(renameColour(picture, i, { rgb: event.currentTarget.value }))} />
          <Field
            label={t.colourName(called[i] ?? "")}
            value={called[i] ?? ""}
            maxLength={40}
            onCommit={(text) => {
              const wanted = text.trim();
              const isValid = wanted !== "" && !called.includes(wanted) && !palette.some(({ name }) => name === wanted);
              if (isValid) onChange(renameColour(picture, i, { name: wanted }));
              return isValid;
            }}
          />
          {i > 0 && palette.length > 2 && (
            <>
              <IconChoice
                icon={Merge}
                label={t.mergeColour(called[i] ?? "")}
                options={[["", "…"], ...called.flatMap((name, into) => (into && into !== i ? [[String(into), name] as const] : []))]}
                value=""
                onChange={(into) => into && onChange(mergeColour(picture, i, Number(into)))}
              />
              <ToolButton icon={Trash2} name={t.removeColour(called[i] ?? "")} onClick={() => onChange(mergeColour(picture, i, 0))} />
            </>
          )}
        </span>
      ))}
    </Panel>
  );
}
