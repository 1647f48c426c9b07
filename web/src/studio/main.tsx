import { render } from "preact";
import CoreWorker from "../core/worker.ts?worker&inline";
import { Studio } from "./studio.tsx";
import "../shared/theme.css";
import "./style.css";

const root = document.getElementById("studio");
if (root) render(<Studio worker={new CoreWorker()} />, root);
