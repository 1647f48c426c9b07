// A nonogram solver that tries the cells one by one, and looks at what rows and columns allow.
// Reads a puzzle in the format nin: width and height, a line for each row's clue, one for each column's.
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>
using namespace std;
int width, height, wanted;
vector<vector<int>> clues;  // of the rows, then of the columns
vector<string> grid;

bool fits(const string& line, const vector<int>& clue,
          bool complete) {  // can this beginning of a line go on?
    vector<int> runs;
    for (size_t i = 0; i < line.size(); i++)
        if (line[i] == '#') {
            if (i && line[i - 1] == '#')
                runs.back()++;
            else
                runs.push_back(1);
        }
    if (complete || runs.size() > clue.size()) return runs == clue;
    for (size_t i = 0; i < runs.size(); i++)
        if (runs[i] > clue[i] || (i + 1 < runs.size() && runs[i] < clue[i])) return false;
    return true;
}
void search(int cell) {
    if (cell == width * height) {
        for (string& row : grid) cout << row << "\n";
        cout << endl;
        wanted--;
        return;
    }
    int y = cell / width, x = cell % width;
    for (char colour : {'#', '.'}) {
        string column;
        grid[y][x] = colour;
        for (int i = 0; i <= y; i++) column += grid[i][x];
        if (wanted > 0 && fits(column, clues[height + x], y + 1 == height) &&
            fits(grid[y].substr(0, x + 1), clues[y], x + 1 == width))
            search(cell + 1);
    }
}
int main(int, char** words) {  // the file, and how many solutions are wanted
    ifstream file(words[1]);
    string line;
    for (wanted = stoi(words[2]); getline(file, line);) {
        istringstream numbers(line);
        if (!width) {
            numbers >> width >> height;
            continue;
        }
        vector<int> clue;
        for (int n; numbers >> n;)
            if (n) clue.push_back(n);
        clues.push_back(clue);
    }
    grid.assign(height, string(width, '.'));
    search(0);
}
