import { render } from "preact";
import CoreWorker from "../core/worker.ts?worker&inline";
import { Studio, start } from "./studio.tsx";
import "../shared/theme.css";
import "./style.css";

const root = document.getElementById("studio");
const worker = new CoreWorker();
if (root) start().then((first) => render(<Studio worker={worker} first={first} />, root));
